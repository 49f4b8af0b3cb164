/** Tests of the catalogue of problems. */
@NullMarked
package dev.nonbis.core.problem;

import org.jspecify.annotations.NullMarked;
