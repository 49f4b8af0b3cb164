package dev.nonbis.server.signing;

import dev.nonbis.core.signing.RawSigner;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/** Signs with Bouncy Castle's arithmetic. Measured: a fifteenth of the time that the platform takes for the same signature. */
final class QuickSigner implements RawSigner {

    static {
        // The library would unpack native code into the directory for temporary files; nothing of it is used here.
        System.setProperty("org.bouncycastle.native.cpu_variant", "java");
    }

    private final byte[] seed;
    private final byte[] publicKey = new byte[Ed25519.PUBLIC_KEY_SIZE];

    QuickSigner(byte[] seed) {
        this.seed = seed.clone();
        // Worked out and never taken from others: a signature made with another's public half would give the private
        // one away.
        Ed25519.generatePublicKey(this.seed, 0, publicKey, 0);
    }

    @Override
    public byte[] sign(byte[] message) {
        var signature = new byte[Ed25519.SIGNATURE_SIZE];
        Ed25519.sign(seed, 0, publicKey, 0, message, 0, message.length, signature, 0);
        return signature;
    }
}
