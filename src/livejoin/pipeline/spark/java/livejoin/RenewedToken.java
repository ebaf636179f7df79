package livejoin;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler;

/** Gets tokens of an OpenID provider with the client and the secret that are in force when another one is due. */
public final class RenewedToken extends OAuthBearerLoginCallbackHandler {

    /** Options of the line of JAAS come under their own names after this. */
    private static final String OPTION = "option.";
    private static final String MECHANISM = "sasl.mechanism";
    private static final String URL = "sasl.oauthbearer.token.endpoint.url";

    private Map<String, ?> configs;
    private AppConfigurationEntry entry;
    private String mechanism;
    private long edition;

    @Override
    public void configure(final Map<String, ?> given, final String saslMechanism,
            final List<AppConfigurationEntry> entries) {
        configs = given;
        entry = entries.get(0);
        mechanism = saslMechanism;
        // What it is told may be older than what is in force, which the first token then finds out.
        super.configure(given, saslMechanism, entries);
    }

    @Override
    public void handle(final Callback[] callbacks) throws IOException, UnsupportedCallbackException {
        final InForce now = InForce.now();
        if (now.edition != edition && mechanism.equals(now.get(MECHANISM))) {
            edition = now.edition;
            final Map<String, String> options = new HashMap<>();
            now.all().forEach((name, value) -> {
                if (name.startsWith(OPTION)) {
                    options.put(name.substring(OPTION.length()), value);
                }
            });
            final Map<String, Object> renewed = new HashMap<>(configs);
            renewed.put(URL, now.get(URL));
            super.close();
            super.configure(renewed, mechanism, List.of(
                    new AppConfigurationEntry(entry.getLoginModuleName(), LoginModuleControlFlag.REQUIRED, options)));
        }
        super.handle(callbacks);
    }
}
