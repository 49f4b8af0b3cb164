/** Tests of what time makes of jobs. */
@NullMarked
package dev.nonbis.core.reconcile;

import org.jspecify.annotations.NullMarked;
