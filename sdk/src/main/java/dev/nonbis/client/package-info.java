/**
 * A client for Nonbis that retries without repeating: one key per logical call, the same key on every attempt.
 *
 * <p>Start with {@link dev.nonbis.client.NonbisClient#builder}. Depends on the JDK's HTTP client and Jackson. Deliberately absent: any
 * server class, and blind retries: what a problem's {@code retry} does not allow is not sent again.
 */
@NullMarked
package dev.nonbis.client;

import org.jspecify.annotations.NullMarked;
