//! A public server's word leads to no private address: neither to one that its metadata spells
//! out, nor to a name that leads there, nor to a name that changes its answer between the look
//! and the visit. The servers are real and speak TLS; what is made up is where names lead.

use std::{
    collections::{HashMap, VecDeque},
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use sightglass_auth::{
    PermittedTarget, SignInFailure, SignInRequest, SignInState, SignInView, SignIns,
    SignInsOptions, StepKind, Target,
};
use sightglass_http::{
    HttpOptions, Network, Proxies,
    dns::{Addrs, Name, Resolve, Resolving},
};
use sightglass_model::{
    ClientOptions, Endpoint, EraChoice, PermittedSpec, RemoteEndpoint, ServerId, ServerRules,
    ServerSpec, TimeLimits, Trust,
};
use sightglass_secrets::Vault;
use sightglass_tests::{
    certificates::Authority,
    scripted::{Fault, Script, Scripted, Secured},
};
use sightglass_traffic::{Recorder, RecorderOptions};
use tempfile::TempDir;

pub(crate) const SERVER: &str = "mcp.example";
const ISSUER: &str = "as.example";
const PUBLIC: &str = "203.0.113.7";

/// Rules that refuse nothing.
struct NoRules;

impl ServerRules for NoRules {
    fn refusal_of(&self, _: &ServerSpec) -> Option<String> {
        None
    }
}

/// Addresses by name. A name with several answers gives the next one each time it is asked.
struct Names(Mutex<HashMap<&'static str, VecDeque<&'static str>>>);

impl Names {
    fn new(server: &'static str, issuer: &[&'static str]) -> Arc<Self> {
        let known = [
            (SERVER, VecDeque::from([server])),
            (ISSUER, issuer.iter().copied().collect()),
        ];
        Arc::new(Self(Mutex::new(known.into())))
    }

    fn answer(&self, name: &str) -> Option<SocketAddr> {
        let mut known = self.0.lock().expect("no panic under it");
        let answers = known.get_mut(name)?;
        let answer = match answers.len() {
            1 => answers.front().copied(),
            _ => answers.pop_front(),
        };
        let address: IpAddr = answer?.parse().expect("an address");
        Some((address, 0).into())
    }
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.answer(name.as_str());
        Box::pin(async move {
            let found = found.ok_or_else(|| format!("{} is not known", name.as_str()))?;
            Ok(Box::new(std::iter::once(found)) as Addrs)
        })
    }
}

/// A server and its authorization server under public names, and somebody who signs in.
pub(crate) struct Scene {
    pub(crate) scripted: Scripted,
    sign_ins: SignIns,
    target: PermittedTarget,
    authority: Authority,
    directory: TempDir,
}

impl Scene {
    /// `issuer` is where its name leads, one answer after the other. Where it is public it leads
    /// to the server of the tests, as the network would.
    async fn new(issuer: &[&'static str], fault: Option<Fault>) -> Self {
        Self::looked_up_at(PUBLIC, issuer, fault).await
    }

    /// A public server under a public name.
    pub(crate) async fn public(fault: Fault) -> Self {
        Self::new(&[PUBLIC], Some(fault)).await
    }

    /// A public server whose owner lets its name lead to this machine whenever it is looked up.
    pub(crate) async fn rebound(fault: Fault) -> Self {
        Self::looked_up_at("127.0.0.1", &[PUBLIC], Some(fault)).await
    }

    /// `server` is where the name of the server leads when it is looked up; the connection to it
    /// goes to a public address.
    async fn looked_up_at(
        server: &'static str,
        issuer: &[&'static str],
        fault: Option<Fault>,
    ) -> Self {
        let looked_up = server;
        let authority = Authority::new();
        let scripted = Scripted::of(Script {
            fault,
            server: Some(Secured::named(SERVER, authority.issue(SERVER))),
            issuer: Some(Secured::named(ISSUER, authority.issue(ISSUER))),
            ..Script::default()
        })
        .await;
        let directory = TempDir::new().expect("a temporary directory");
        let recorder = Recorder::open(RecorderOptions::in_directory(directory.path()));
        let names = Names::new(looked_up, issuer);
        let is_public = issuer == [PUBLIC];
        let [server, authorization] = scripted.addresses();
        let sign_ins = SignIns::new(SignInsOptions {
            recorder,
            vault: Vault::in_memory(),
            http: Box::new(move |trust| {
                let mut routes = vec![(SERVER.to_owned(), server)];
                if is_public {
                    routes.push((ISSUER.to_owned(), authorization));
                }
                HttpOptions {
                    network: Network {
                        names: names.clone(),
                        routes,
                        // Where the network would have led.
                        peer: PUBLIC.parse().ok(),
                    },
                    ..HttpOptions::new(trust, &Proxies::default())
                }
            }),
            directory: directory.path().to_owned(),
            environment: Arc::new(|_| None),
            open_browser: Arc::new(|_| Err("nobody is there".to_owned())),
            browser_timeout: Duration::from_secs(2),
            on_change: Arc::new(|_| {}),
        });
        let spec = ServerSpec {
            name: "public".to_owned(),
            endpoint: Endpoint::Remote(RemoteEndpoint {
                trust: Trust {
                    ca_file: Some(authority.file()),
                    ..Trust::default()
                },
                ..RemoteEndpoint::at(scripted.url())
            }),
            era: EraChoice::Auto,
            limits: TimeLimits::default(),
            client: ClientOptions::default(),
            is_recorded: true,
            expanded: Vec::new(),
            references: Vec::new(),
        };
        let spec = PermittedSpec::judged(spec, Arc::new(NoRules)).expect("no rule refuses it");
        let target = Target::new(ServerId::new("mcp-json", "public"), &spec);
        let target = PermittedTarget::new(target.expect("over HTTP"), &spec).expect("of the same");
        Self {
            scripted,
            sign_ins,
            target,
            authority,
            directory,
        }
    }

    /// Signs in as far as that goes without a browser.
    async fn sign_in(&self) -> SignInView {
        let request = SignInRequest {
            manual: true,
            ..SignInRequest::default()
        };
        self.sign_ins
            .start(self.target.clone(), request)
            .expect("it starts");
        let far = |attempt: &SignInView| {
            attempt.state.is_over() || attempt.state == SignInState::WaitingForPaste
        };
        self.reaches(far).await
    }

    async fn reaches(&self, wanted: impl Fn(&SignInView) -> bool) -> SignInView {
        let looking = async {
            loop {
                let attempt = self.sign_ins.view(&self.target).attempt;
                if let Some(attempt) = attempt.filter(&wanted) {
                    return attempt;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let attempt = tokio::time::timeout(Duration::from_secs(60), looking).await;
        // The directories outlive whoever writes to them.
        assert!(self.directory.path().exists() && self.authority.file().exists());
        attempt.expect("it comes somewhere")
    }

    /// Signs in, and is refused on account of a private address.
    pub(crate) async fn refused(&self, host: &str) -> SignInFailure {
        let attempt = self.sign_in().await;
        let failure = attempt.failure.clone();
        let failure = failure.unwrap_or_else(|| panic!("{attempt:#?}"));
        let words = format!("{host} is a private address named by a public server");
        assert!(failure.message.contains(&words), "{failure:?}");
        let clause = failure.clause.clone().expect("where it is written").title;
        assert!(clause.contains("Request Forgery"), "{clause}");
        assert_eq!(attempt.address, None);
        failure
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn public_servers_are_visited() {
    let scene = Scene::new(&[PUBLIC], None).await;
    let attempt = scene.sign_in().await;
    assert_eq!(attempt.state, SignInState::WaitingForPaste, "{attempt:#?}");
    assert_eq!(scene.scripted.asked("/register").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_come_back_in_time_is_not_waited_for() {
    let scene = Scene::new(&[PUBLIC], None).await;
    let request = SignInRequest::default();
    let started = scene.sign_ins.start(scene.target.clone(), request);
    started.expect("it starts");
    let attempt = scene.reaches(|attempt| attempt.state.is_over()).await;
    let failure = attempt.failure.expect("a reason");
    assert_eq!(failure.step, StepKind::Callback);
    assert!(
        failure.message.contains("No answer from the browser"),
        "{failure:?}"
    );
    let clause = failure.clause.expect("where it is written").title;
    assert!(clause.contains("RFC 8252, section 7.3"), "{clause}");
    // Nobody listens any more.
    let callback = attempt.redirect_uri.expect("an address");
    assert!(reqwest::get(callback).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn private_addresses_are_not_visited_however_metadata_spells_them() {
    for (address, host) in [
        ("https://10.0.0.1", "10.0.0.1"),
        (
            "https://169.254.169.254/latest/meta-data",
            "169.254.169.254",
        ),
        ("https://localhost:8080", "localhost"),
        ("https://2130706433", "127.0.0.1"),
        ("https://[::ffff:192.168.0.1]", "[::ffff:c0a8:1]"),
        ("https://[fd00::1]", "[fd00::1]"),
    ] {
        let fault = Fault::Resource(json!({ "authorization_servers": [address] }));
        let scene = Scene::new(&[PUBLIC], Some(fault)).await;
        let failure = scene.refused(host).await;
        assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
    }
    for endpoint in [
        "authorization_endpoint",
        "token_endpoint",
        "registration_endpoint",
        "revocation_endpoint",
    ] {
        let fault = Fault::Metadata(json!({ endpoint: "https://192.168.1.1/admin" }));
        let scene = Scene::new(&[PUBLIC], Some(fault)).await;
        let failure = scene.refused("192.168.1.1").await;
        assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
        assert!(failure.message.contains(endpoint), "{failure:?}");
        assert_eq!(scene.scripted.asked("/register").len(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_leads_to_a_private_address_is_not_visited() {
    for private in ["127.0.0.1", "10.0.0.1", "fe80::1"] {
        let scene = Scene::new(&[private], None).await;
        let failure = scene.refused(ISSUER).await;
        assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
        nobody_came(&scene);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_rebound_between_the_look_and_the_visit_is_not_visited() {
    // Public when it is looked at, this very machine when it is visited.
    let scene = Scene::new(&[PUBLIC, "127.0.0.1"], None).await;
    let failure = scene.refused(ISSUER).await;
    assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
    nobody_came(&scene);
    // The steps show what was refused, and why.
    let attempt = scene.sign_ins.view(&scene.target).attempt.expect("tried");
    let step = serde_json::to_value(&attempt.steps[StepKind::ServerMetadata as usize]);
    let step: Value = step.expect("JSON");
    let remark = step["exchanges"][0]["remark"].as_str().expect("a remark");
    assert!(remark.contains("is a private address"), "{step:#}");
    let checks = step["checks"].as_array().expect("checks");
    let failed = checks.iter().find(|check| check["verdict"] == "failed");
    let failed = failed.expect("the one that failed");
    assert!(
        failed["subject"]["actual"]
            .to_string()
            .contains("private address"),
        "{failed}"
    );
}

fn nobody_came(scene: &Scene) {
    let metadata = "/.well-known/oauth-authorization-server";
    assert_eq!(scene.scripted.asked(metadata).len(), 0);
}
