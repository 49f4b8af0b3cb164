/**
 * Ed25519 signatures over canonical JSON: who signs, who checks, and how public keys are written down.
 *
 * <p>Depends on {@code json} and the JDK's cryptography. Deliberately absent: files, and any other algorithm.
 */
@NullMarked
package dev.nonbis.core.signing;

import org.jspecify.annotations.NullMarked;
