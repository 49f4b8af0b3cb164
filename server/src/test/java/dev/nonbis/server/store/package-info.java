/** What tests of shared stores have in common. */
@NullMarked
package dev.nonbis.server.store;

import org.jspecify.annotations.NullMarked;
