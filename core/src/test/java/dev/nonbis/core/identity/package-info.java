/** Tests of who acts and for whom. */
@NullMarked
package dev.nonbis.core.identity;

import org.jspecify.annotations.NullMarked;
