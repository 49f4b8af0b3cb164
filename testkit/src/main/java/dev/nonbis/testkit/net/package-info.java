/**
 * A network that fails when told to: a TCP proxy between a client and a service.
 *
 * <p>Depends on the JDK alone, so that any suite may put it between any two. Deliberately absent: knowledge of the protocols that pass
 * through, delays by chance, and anything that a kernel would have to be asked for.
 */
@NullMarked
package dev.nonbis.testkit.net;

import org.jspecify.annotations.NullMarked;
