package dev.nonbis.core.signing;

/** Signs bytes with one Ed25519 key. RFC 8032 leaves nothing to chance, so that whoever does it, the signature is the same. */
@FunctionalInterface
public interface RawSigner {

    byte[] sign(byte[] message);
}
