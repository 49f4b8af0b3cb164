/** Has a real server struck by real faults, shortly. */
@NullMarked
package dev.nonbis.bench.faults;

import org.jspecify.annotations.NullMarked;
