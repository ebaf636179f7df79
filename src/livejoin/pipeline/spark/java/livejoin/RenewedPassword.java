package livejoin;

import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;

/** Who logs in by PLAIN or SCRAM: with the user and the password that are in force when a connection begins. */
public final class RenewedPassword implements AuthenticateCallbackHandler {

    private String mechanism;
    private Map<String, ?> told;

    @Override
    public void configure(final Map<String, ?> configs, final String saslMechanism,
            final List<AppConfigurationEntry> entries) {
        mechanism = saslMechanism;
        told = entries.get(0).getOptions();
    }

    @Override
    public void handle(final Callback[] callbacks) {
        final InForce now = InForce.now();
        // A client cannot take another mechanism: where there is one now, it keeps to what it was told.
        final boolean isRenewed = mechanism.equals(now.get("sasl.mechanism"));
        for (final Callback callback : callbacks) {
            if (callback instanceof NameCallback name) {
                name.setName(isRenewed ? now.get("sasl.username") : (String) told.get("username"));
            } else if (callback instanceof PasswordCallback password) {
                final String text = isRenewed ? now.get("sasl.password") : (String) told.get("password");
                password.setPassword(text.toCharArray());
            }
            // Others ask for extensions of SCRAM, of which there are none.
        }
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
