/**
 * A worker: takes work from a Nonbis server, has a handler do it, and reports how it ended.
 *
 * <p>Start with {@link dev.nonbis.client.worker.Worker#builder}. Depends on the client. Deliberately absent: any promise that a handler
 * runs once for a job; what makes its effects happen once is the task's idempotency key at whatever the handler calls.
 */
@NullMarked
package dev.nonbis.client.worker;

import org.jspecify.annotations.NullMarked;
