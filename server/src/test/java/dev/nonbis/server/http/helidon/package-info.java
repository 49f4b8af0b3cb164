/** Tests of the socket shell against a bound server. */
@NullMarked
package dev.nonbis.server.http.helidon;

import org.jspecify.annotations.NullMarked;
