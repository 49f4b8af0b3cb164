/**
 * A small blocking HTTP/1.1 client that sends each request exactly once.
 *
 * <p>Depends on nothing of ours. Deliberately absent: retries, redirects and pooling, which would hide whether an answer was lost.
 */
@NullMarked
package dev.nonbis.bench.http;

import org.jspecify.annotations.NullMarked;
