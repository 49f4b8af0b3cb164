package dev.nonbis.core.audit;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Checks proofs step by step as RFC 9162 says, sections 2.1.3.2 and 2.1.4.2, from nothing but the proof and the roots. */
public final class MerkleProof {

    private MerkleProof() {}

    /** Whether the leaf is at this place of the tree with this root. */
    public static boolean isIncluded(byte[] leafHash, long leaf, long size, List<byte[]> path, byte[] root) {
        if (leaf < 0 || leaf >= size) {
            return false;
        }
        long fn = leaf;
        long sn = size - 1;
        byte[] r = leafHash;
        for (byte[] p : path) {
            if (sn == 0) {
                return false;
            }
            if ((fn & 1) == 1 || fn == sn) {
                r = MerkleHash.node(p, r);
                while ((fn & 1) == 0 && fn != 0) {
                    fn >>= 1;
                    sn >>= 1;
                }
            } else {
                r = MerkleHash.node(r, p);
            }
            fn >>= 1;
            sn >>= 1;
        }
        return sn == 0 && Arrays.equals(r, root);
    }

    /** Whether the tree with the first size and root is the beginning of the other. */
    public static boolean isConsistent(long from, byte[] fromRoot, long to, byte[] toRoot, List<byte[]> proof) {
        if (from < 1 || from > to) {
            return false;
        }
        if (from == to) {
            return proof.isEmpty() && Arrays.equals(fromRoot, toRoot);
        }
        if (proof.isEmpty()) {
            return false;
        }
        Iterator<byte[]> rest = proof.iterator();
        // A tree whose size is a power of two is one node of the larger tree, which the proof then need not give.
        byte[] first = Long.bitCount(from) == 1 ? fromRoot : rest.next();
        long fn = from - 1;
        long sn = to - 1;
        while ((fn & 1) == 1) {
            fn >>= 1;
            sn >>= 1;
        }
        byte[] fr = first;
        byte[] sr = first;
        while (rest.hasNext()) {
            byte[] c = rest.next();
            if (sn == 0) {
                return false;
            }
            if ((fn & 1) == 1 || fn == sn) {
                fr = MerkleHash.node(c, fr);
                sr = MerkleHash.node(c, sr);
                while ((fn & 1) == 0 && fn != 0) {
                    fn >>= 1;
                    sn >>= 1;
                }
            } else {
                sr = MerkleHash.node(sr, c);
            }
            fn >>= 1;
            sn >>= 1;
        }
        return sn == 0 && Arrays.equals(fr, fromRoot) && Arrays.equals(sr, toRoot);
    }
}
