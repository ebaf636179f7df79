package livejoin;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Texts come as the digits of their UTF-16 units: the bridge from Python cuts characters beyond U+FFFF. */
final class Texts {

    private Texts() {}

    static String of(final String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_16BE);
    }
}
