package dev.nonbis.server.http;

import java.nio.ByteBuffer;

/**
 * What a body that arrives in pieces will cost in memory: its bytes, their copies on the way to the store, and the tree of the parsed
 * values. A mebibyte of {@code {"a":1},} makes a tree of 21 MiB, one of a single string hardly more than itself; so values are counted
 * while the bytes arrive. {@code BodyCostTest} compares this with trees that were measured.
 */
public final class BodyCost {

    /** The bytes as received, once more while they are collected, as canonical form and as row. */
    static final int PER_BYTE = 4;

    private static final int PER_ITEM = 24;
    private static final int PER_MEMBER = 96;
    private static final int PER_CONTAINER = 48;

    private boolean inString;
    private boolean escaped;

    /** The cost of the next piece, which is left unread. */
    public long of(ByteBuffer piece) {
        long cost = (long) piece.remaining() * PER_BYTE;
        for (int i = piece.position(); i < piece.limit(); i++) {
            cost += of(piece.get(i));
        }
        return cost;
    }

    private int of(byte next) {
        if (inString) {
            inString = escaped || next != '"';
            escaped = !escaped && next == '\\';
            return 0;
        }
        return switch (next) {
            case ',' -> PER_ITEM;
            case ':' -> PER_MEMBER;
            case '{', '[' -> PER_CONTAINER;
            case '"' -> {
                inString = true;
                yield 0;
            }
            default -> 0;
        };
    }
}
