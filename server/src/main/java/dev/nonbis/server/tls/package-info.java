/**
 * Certificates and keys from PEM files.
 *
 * <p>Depends on the JDK alone. Deliberately absent: what they are used for.
 */
@NullMarked
package dev.nonbis.server.tls;

import org.jspecify.annotations.NullMarked;
