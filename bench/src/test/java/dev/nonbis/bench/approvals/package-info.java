/** Tests of {@code bench.approvals}. */
@NullMarked
package dev.nonbis.bench.approvals;

import org.jspecify.annotations.NullMarked;
