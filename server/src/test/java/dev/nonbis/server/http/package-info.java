/** Tests of routes, problems and authentication, without a socket. */
@NullMarked
package dev.nonbis.server.http;

import org.jspecify.annotations.NullMarked;
