/** Has the models of the designs checked, in every state that they can reach. */
@NullMarked
package dev.nonbis.bench.models;

import org.jspecify.annotations.NullMarked;
