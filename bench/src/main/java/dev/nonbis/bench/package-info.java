/**
 * Measures the server and tries to break it, from outside, over HTTP, as a client would.
 *
 * <p>Composes the packages below it. Deliberately absent: any class of the server, so that a mistake there cannot hide a mistake here.
 */
@NullMarked
package dev.nonbis.bench;

import org.jspecify.annotations.NullMarked;
