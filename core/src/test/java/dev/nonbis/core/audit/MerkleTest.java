package dev.nonbis.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MerkleTest {

    // The leaves and answers by which the logs of Certificate Transparency are commonly tested.
    private static final List<String> LEAVES =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");

    private static final HexFormat HEX = HexFormat.of();

    private static Map<MerkleTree.Tile, byte[]> grown(List<byte[]> leafHashes) {
        var tiles = new HashMap<MerkleTree.Tile, byte[]>();
        long size = 0;
        // In steps of uneven length, as checkpoints come.
        for (int from = 0, step = 1; from < leafHashes.size(); from += step, step = step % 300 + 7) {
            var growth = new MerkleGrowth(size, tile -> tiles.getOrDefault(tile, new byte[0]));
            leafHashes.subList(from, Math.min(leafHashes.size(), from + step)).forEach(growth::add);
            tiles.putAll(growth.changed());
            size = growth.size();
        }
        return tiles;
    }

    private static MerkleTree tree(List<byte[]> leafHashes) {
        var tiles = grown(leafHashes);
        return new MerkleTree(tile -> tiles.getOrDefault(tile, new byte[0]));
    }

    private static List<byte[]> known() {
        return LEAVES.stream().map(leaf -> MerkleHash.leaf(HEX.parseHex(leaf))).toList();
    }

    private static List<byte[]> numbered(int count) {
        var hashes = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            hashes.add(MerkleHash.leaf(new byte[] {(byte) i, (byte) (i >> 8), (byte) (i >> 16)}));
        }
        return hashes;
    }

    private static List<String> hex(List<byte[]> hashes) {
        return hashes.stream().map(HEX::formatHex).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "0, e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "1, 6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "2, fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "3, aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "4, d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "5, 4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "6, 76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "7, ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "8, 5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    })
    void the_roots_are_the_known_ones(int size, String root) {
        var frontier = new MerkleFrontier();
        known().subList(0, size).forEach(frontier::add);

        assertThat(HEX.formatHex(tree(known()).root(size))).isEqualTo(root);
        assertThat(HEX.formatHex(frontier.root())).isEqualTo(root);
    }

    @Test
    void the_proofs_are_the_known_ones() {
        var tree = tree(known());

        assertThat(hex(tree.inclusion(0, 8)))
                .containsExactly(
                        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4");
        assertThat(hex(tree.inclusion(0, 1))).isEmpty();
        assertThat(hex(tree.consistency(6, 8)))
                .containsExactly(
                        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7");
        assertThat(hex(tree.consistency(8, 8))).isEmpty();
    }

    @Test
    void every_leaf_of_every_small_tree_is_proved_and_nothing_else_is() {
        var leaves = numbered(40);
        var tree = tree(leaves);
        for (int size = 1; size <= 40; size++) {
            byte[] root = tree.root(size);
            for (int leaf = 0; leaf < size; leaf++) {
                var path = tree.inclusion(leaf, size);
                assertThat(MerkleProof.isIncluded(leaves.get(leaf), leaf, size, path, root))
                        .isTrue();
                assertThat(MerkleProof.isIncluded(leaves.get(leaf), (leaf + 1) % size, size, path, root))
                        .isEqualTo(size == 1);
                assertThat(MerkleProof.isIncluded(MerkleHash.leaf(new byte[] {9}), leaf, size, path, root))
                        .isFalse();
                assertThat(MerkleProof.isIncluded(leaves.get(leaf), leaf, size, longer(path), root))
                        .isFalse();
            }
        }
    }

    @Test
    void every_beginning_of_every_small_tree_is_proved_and_nothing_else_is() {
        var tree = tree(numbered(40));
        for (int to = 1; to <= 40; to++) {
            for (int from = 1; from <= to; from++) {
                var proof = tree.consistency(from, to);
                byte[] before = tree.root(from);
                byte[] after = tree.root(to);
                assertThat(MerkleProof.isConsistent(from, before, to, after, proof))
                        .isTrue();
                assertThat(MerkleProof.isConsistent(from, wrong(before), to, after, proof))
                        .isFalse();
                assertThat(MerkleProof.isConsistent(from, before, to, wrong(after), proof))
                        .isFalse();
                assertThat(MerkleProof.isConsistent(from, before, to, after, longer(proof)))
                        .isFalse();
            }
        }
    }

    @Test
    void tiles_and_the_right_edge_agree_beyond_the_second_level_of_tiles() {
        var leaves = numbered(65_536 + 300);
        var tree = tree(leaves);
        var frontier = new MerkleFrontier();
        for (int size = 1; size <= leaves.size(); size++) {
            frontier.add(leaves.get(size - 1));
            if (size % 4_099 == 0 || size == 65_536 || size == leaves.size()) {
                assertThat(tree.root(size)).isEqualTo(frontier.root());
                assertThat(MerkleFrontier.of(tree.subtrees(size), size)
                                .orElseThrow()
                                .root())
                        .isEqualTo(frontier.root());
            }
        }
        byte[] root = tree.root(leaves.size());
        for (int leaf : new int[] {0, 255, 256, 65_535, 65_536, leaves.size() - 1}) {
            assertThat(MerkleProof.isIncluded(
                            leaves.get(leaf), leaf, leaves.size(), tree.inclusion(leaf, leaves.size()), root))
                    .isTrue();
        }
    }

    private static byte[] wrong(byte[] hash) {
        byte[] changed = hash.clone();
        changed[5] ^= 1;
        return changed;
    }

    private static List<byte[]> longer(List<byte[]> proof) {
        var all = new ArrayList<>(proof);
        all.add(Arrays.copyOf(new byte[] {7}, 32));
        return all;
    }
}
