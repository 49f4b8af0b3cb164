@NullMarked
package dev.nonbis.server.http.nats;

import org.jspecify.annotations.NullMarked;
