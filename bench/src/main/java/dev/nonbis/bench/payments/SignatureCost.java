package dev.nonbis.bench.payments;

import java.lang.management.ManagementFactory;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;

/** What one Ed25519 signature over a text of a receipt's length takes of one processor of this machine. */
final class SignatureCost {

    private static final int RECEIPT_BYTES = 760;
    private static final int WARM_UP = 2_000;
    private static final int MEASURED = 2_000;

    private SignatureCost() {}

    static double micros() {
        try {
            var key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
            var message = new byte[RECEIPT_BYTES];
            for (int i = 0; i < WARM_UP; i++) {
                sign(key, message);
            }
            // Time of the processor, not of the clock: others may use the machine meanwhile.
            var threads = ManagementFactory.getThreadMXBean();
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < MEASURED; i++) {
                sign(key, message);
            }
            return (threads.getCurrentThreadCpuTime() - start) / 1e3 / MEASURED;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must offer Ed25519", e);
        }
    }

    private static void sign(PrivateKey key, byte[] message) throws GeneralSecurityException {
        var signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(message);
        message[0] += signature.sign()[0];
    }
}
