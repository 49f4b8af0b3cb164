/**
 * Measures the way from a submission to a recorded result, with few and with many jobs waiting elsewhere.
 *
 * <p>Depends on the bench's HTTP client. Deliberately absent: classes of the server; it is measured from outside.
 */
@NullMarked
package dev.nonbis.bench.dispatch;

import org.jspecify.annotations.NullMarked;
