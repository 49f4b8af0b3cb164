package dev.nonbis.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonSliceTest {

    @Test
    void every_member_of_an_object_is_found_as_it_was_written() {
        for (String text : List.of(
                "{}",
                "{\"a\":1}",
                "{\"a\":\"}\",\"b\":\"\\\\\",\"c\":\"\\\"},{\",\"d\":[]}",
                "{\"a\":{\"b\":[{\"a\":\",\"},[],{}]},\"b\":null,\"input\":{\"input\":2},\"x\":-1.5e300}",
                "{\"\":\"\",\"\u00e9\\u0001\":\"\u00e9\",\"in\":true,\"inp\":[1,2,[3]],\"z\":false}")) {
            var object = (JsonObject) Json.parse(text.getBytes(StandardCharsets.UTF_8));
            for (byte[] written : List.of(Json.write(object), Json.canonical(object))) {
                var members = JsonSlice.members(written);
                assertThat(members).containsOnlyKeys(object.members().keySet());
                members.forEach((name, slice) -> {
                    var value = object.get(name).orElseThrow();
                    assertThat(slice.parse()).isEqualTo(value);
                    assertThat(text(slice)).hasSizeLessThanOrEqualTo(slice.length());
                });
            }
        }
    }

    @Test
    void a_slice_is_written_between_other_members() {
        byte[] request = "{\"input\":{\"xs\":[1,2]},\"topic\":\"t\"}".getBytes(StandardCharsets.UTF_8);
        var written = new JsonText(10)
                .put("a", 1)
                .putSlice(
                        "input", Optional.ofNullable(JsonSlice.members(request).get("input")))
                .putSlice("none", Optional.empty())
                .putObjects("items", List.of("x", "y"), (item, name) -> item.put(name, 1))
                .putObject("labels", labels -> labels.put("k", "v"))
                .end();

        assertThat(new String(written, StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"a\":1,\"input\":{\"xs\":[1,2]},\"items\":[{\"x\":1},{\"y\":1}],\"labels\":{\"k\":\"v\"}}");
    }

    private static String text(JsonSlice slice) {
        return new String(slice.text(), slice.from(), slice.to() - slice.from(), StandardCharsets.UTF_8);
    }
}
