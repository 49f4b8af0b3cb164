/** Tests of the socket shell against a bound server. */
@NullMarked
package dev.nonbis.server.http.jetty;

import org.jspecify.annotations.NullMarked;
