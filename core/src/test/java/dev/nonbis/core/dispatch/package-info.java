/** Tests of the rules of dispatch. */
@NullMarked
package dev.nonbis.core.dispatch;

import org.jspecify.annotations.NullMarked;
