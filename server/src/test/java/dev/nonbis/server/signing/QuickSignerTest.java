package dev.nonbis.server.signing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.PublicKeys.Finding;
import dev.nonbis.core.signing.RawSigner;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.json.JsonObject;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuickSignerTest {

    private static final HexFormat HEX = HexFormat.of();

    @ParameterizedTest
    @CsvSource({
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,'',"
                + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,72,"
                + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,af82,"
                + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    })
    void signatures_are_those_of_the_rfc(String seed, String message, String signature) {
        var signer = new QuickSigner(HEX.parseHex(seed));

        assertThat(HEX.formatHex(signer.sign(HEX.parseHex(message)))).isEqualTo(signature);
    }

    @Test
    void the_platform_makes_the_same_signatures_and_accepts_them() {
        for (int i = 0; i < 20; i++) {
            var jwk = SigningKey.generate().toPrivateJwk();
            var quick = ring(jwk, QuickSigner::new);
            var platform = new KeyRing(SigningKey.ofJwk(jwk).orElseThrow(), List.of());
            var text = JsonObject.builder().put("text", "x".repeat(i * 37)).build();

            var signed = quick.sign(text);

            assertThat(signed).isEqualTo(platform.sign(text));
            assertThat(platform.publicKeys().check(signed)).isEqualTo(Finding.GOOD);
        }
    }

    @Test
    void halves_that_do_not_belong_together_are_refused() {
        var jwk = JsonObject.builder();
        SigningKey.generate().toPrivateJwk().members().forEach((name, value) -> {
            if (!name.equals("d")) {
                jwk.put(name, value);
            }
        });
        jwk.putString("d", SigningKey.generate().toPrivateJwk().string("d"));

        assertThat(SigningKey.ofJwk(jwk.build(), QuickSigner::new)).isEmpty();
    }

    @Test
    void a_signer_whose_signatures_the_platform_does_not_accept_is_refused() {
        RawSigner broken = message -> new byte[64];

        assertThat(SigningKey.ofJwk(SigningKey.generate().toPrivateJwk(), seed -> broken))
                .isEmpty();
    }

    private static KeyRing ring(JsonObject jwk, Function<byte[], RawSigner> signers) {
        return new KeyRing(SigningKey.ofJwk(jwk, signers).orElseThrow(), List.of());
    }
}
