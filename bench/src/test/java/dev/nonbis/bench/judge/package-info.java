/** Shows on small histories what a checker says where no planted mistake decides it. */
@NullMarked
package dev.nonbis.bench.judge;

import org.jspecify.annotations.NullMarked;
