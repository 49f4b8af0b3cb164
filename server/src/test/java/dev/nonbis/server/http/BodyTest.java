package dev.nonbis.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.nonbis.core.problem.ProblemCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class BodyTest {

    private static Call call(String body) {
        return new Call(Requests.post("/x", body), Optional.empty());
    }

    private static Body body(String json) {
        return Body.object(call(json), Set.of("a", "b/c"));
    }

    private static void refused(Runnable reading, ProblemCode code, String pointer) {
        var refusal = catchThrowableOfType(Refusal.class, reading::run);

        assertThat(refusal.problem().code()).isEqualTo(code);
        assertThat(refusal.problem().extra().string("pointer")).contains(pointer);
    }

    private static void invalid(String json, Consumer<Body> reading) {
        refused(() -> reading.accept(body(json)), ProblemCode.INVALID_FIELD, "/a");
    }

    @Test
    void members_are_read_by_type() {
        assertThat(body("{\"a\":\"x\"}").string("a")).isEqualTo("x");
        assertThat(body("{\"a\":7}").integer("a", 1, 7)).isEqualTo(7);
        assertThat(body("{\"a\":true}").optionalBool("a")).contains(true);
        assertThat(body("{\"a\":{\"k\":\"v\"}}").optionalStrings("a")).isEqualTo(Map.of("k", "v"));
        assertThat(body("{}").optionalString("a")).isEmpty();
        assertThat(body("{}").optionalStrings("a")).isEmpty();
    }

    @Test
    void a_value_of_another_type_is_refused_where_it_is() {
        invalid("{\"a\":1}", b -> b.string("a"));
        invalid("{\"a\":null}", b -> b.optionalString("a"));
        invalid("{\"a\":\"1\"}", b -> b.integer("a", 0, 9));
        invalid("{\"a\":1.5}", b -> b.integer("a", 0, 9));
        invalid("{\"a\":10}", b -> b.integer("a", 0, 9));
        invalid("{\"a\":[]}", b -> b.object("a"));
        invalid("{\"a\":{}}", b -> b.array("a"));
        refused(() -> body("{\"a\":{\"x~/\":1}}").optionalStrings("a"), ProblemCode.INVALID_FIELD, "/a/x~0~1");
    }

    @Test
    void a_required_member_must_be_there() {
        refused(() -> body("{}").string("b/c"), ProblemCode.MISSING_FIELD, "/b~1c");
    }

    @Test
    void a_member_that_is_not_known_is_refused() {
        refused(() -> body("{\"a\":1,\"z\":2}"), ProblemCode.UNKNOWN_FIELD, "/z");
    }

    @Test
    void a_body_must_be_an_object() {
        refused(() -> body("[]"), ProblemCode.INVALID_FIELD, "");
    }

    @Test
    void an_optional_body_may_be_empty() {
        assertThat(Body.optionalObject(call(""), Set.of()).json().members()).isEmpty();
    }

    @Test
    void a_query_is_read_by_name() {
        var request = new Request(
                "req_1",
                "GET",
                "/x",
                Map.of(),
                QueryString.parse("limit=5&label=a:b&label=c%3Ad+e&empty=").orElseThrow(),
                Map.of(),
                new byte[0]);
        var query = Query.of(new Call(request, Optional.empty()), Set.of("limit", "label", "empty"));

        assertThat(query.integer("limit", 1, 100, 50)).isEqualTo(5);
        assertThat(query.integer("empty", 1, 100, 50)).isEqualTo(50);
        assertThat(query.all("label")).isEqualTo(List.of("a:b", "c:d e"));
        assertThat(catchThrowableOfType(Refusal.class, () -> query.integer("limit", 1, 4, 2))
                        .problem()
                        .extra()
                        .string("parameter"))
                .contains("limit");
        assertThat(catchThrowableOfType(Refusal.class, () -> query.string("label")))
                .isNotNull();
        assertThat(QueryString.parse("a=%ff")).isEmpty();
        assertThat(QueryString.parse("a=%0d")).isEmpty();
    }
}
