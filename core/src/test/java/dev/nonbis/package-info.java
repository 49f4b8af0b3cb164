/** What the tests of several packages share. */
@NullMarked
package dev.nonbis;

import org.jspecify.annotations.NullMarked;
