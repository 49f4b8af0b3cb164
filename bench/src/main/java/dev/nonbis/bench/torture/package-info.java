/**
 * Campaigns that kill the server under load, and the judges of what it says afterwards.
 *
 * <p>Depends on {@code bench.http} and {@code bench.process}. The judges know the contract and nothing of the implementation: they parse,
 * canonicalise and hash by themselves. Deliberately absent: any tolerance; whatever the contract does not allow is a violation.
 */
@NullMarked
package dev.nonbis.bench.torture;

import org.jspecify.annotations.NullMarked;
