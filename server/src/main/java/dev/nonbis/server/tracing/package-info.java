/**
 * What happens to a job, a run or a payment, written as spans of one trace and sent to a collector.
 *
 * <p>Depends on OpenTelemetry, which no other package sees, on the HTTP port for spans, and on the core. Deliberately absent: bodies,
 * credentials and names of people in any span; and anything that could hold a request up when the collector is slow or gone.
 */
@NullMarked
package dev.nonbis.server.tracing;

import org.jspecify.annotations.NullMarked;
