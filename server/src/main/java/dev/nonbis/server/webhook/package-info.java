/**
 * Carries webhooks over HTTP: signatures by the Standard Webhooks rules, addresses that may be called, and the threads that do it.
 *
 * <p>Depends on {@code core} and the HTTP client of Jetty. Deliberately absent: redirects, answers' bodies, and connections that are kept: a webhook is one request to
 * an address that was checked just before.
 */
@NullMarked
package dev.nonbis.server.webhook;

import org.jspecify.annotations.NullMarked;
