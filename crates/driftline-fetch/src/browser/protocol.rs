//! The commands and events of the `DevTools` Protocol that are used, with only the fields that are used.
//!
//! Reference: <https://chromedevtools.github.io/devtools-protocol/>. Fields that Chromium adds later are ignored.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A command, and the form of its reply.
pub(super) trait Command: Serialize {
    /// The name on the wire: `Domain.method`.
    const METHOD: &'static str;
    /// The result in the reply.
    type Reply: DeserializeOwned;
}

/// HTTP headers, several of one name as lines of one value.
pub(super) type Headers = Map<String, Value>;

/// Declares commands: `Name = "Domain.method" { field: Type } -> Reply;`.
macro_rules! commands {
    ($($name:ident = $method:literal { $($(#[$attribute:meta])* $field:ident: $type:ty),* } -> $reply:ty;)*) => {$(
        #[doc = concat!("The command `", $method, "`.")]
        #[derive(Debug, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name { $($(#[$attribute])* pub(super) $field: $type),* }

        impl Command for $name {
            const METHOD: &'static str = $method;
            type Reply = $reply;
        }
    )*};
}

/// Declares parts of messages, which are either sent (`Serialize`) or read (`Deserialize`).
macro_rules! parts {
    ($derive:ident: $($(#[$outer:meta])* $name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* })*) => {$(
        $(#[$outer])*
        #[derive(Debug, Clone, $derive)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name { $($(#[$attribute])* pub(super) $field: $type),* }
    )*};
}

commands! {
    GetVersion = "Browser.getVersion" {} -> Version;
    CloseBrowser = "Browser.close" {} -> IgnoredAny;
    SetDownloadBehavior = "Browser.setDownloadBehavior" { behavior: &'static str, browser_context_id: String } -> IgnoredAny;
    CreateBrowserContext = "Target.createBrowserContext" {
        dispose_on_detach: bool, proxy_server: String, proxy_bypass_list: &'static str
    } -> BrowserContext;
    DisposeBrowserContext = "Target.disposeBrowserContext" { browser_context_id: String } -> IgnoredAny;
    CreateTarget = "Target.createTarget" { url: &'static str, browser_context_id: String } -> Target;
    AttachToTarget = "Target.attachToTarget" { target_id: String, flatten: bool } -> Attached;

    EnablePage = "Page.enable" {} -> IgnoredAny;
    GetFrameTree = "Page.getFrameTree" {} -> Frames;
    SetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled" { enabled: bool } -> IgnoredAny;
    Navigate = "Page.navigate" { url: String } -> Navigated;
    HandleJavaScriptDialog = "Page.handleJavaScriptDialog" { accept: bool } -> IgnoredAny;
    CreateIsolatedWorld = "Page.createIsolatedWorld" { frame_id: String } -> World;
    GetLayoutMetrics = "Page.getLayoutMetrics" {} -> LayoutMetrics;
    CaptureScreenshot = "Page.captureScreenshot" { format: &'static str, clip: Clip, capture_beyond_viewport: bool } -> Screenshot;
    Evaluate = "Runtime.evaluate" { expression: String, context_id: i64, return_by_value: bool } -> Evaluated;

    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride" {
        width: u32, height: u32, device_scale_factor: f64, mobile: bool, screen_orientation: ScreenOrientation
    } -> IgnoredAny;
    SetTouchEmulationEnabled = "Emulation.setTouchEmulationEnabled" { enabled: bool } -> IgnoredAny;
    SetUserAgentOverride = "Emulation.setUserAgentOverride" { user_agent: String } -> IgnoredAny;

    EnableNetwork = "Network.enable" { max_resource_buffer_size: i64, max_total_buffer_size: i64 } -> IgnoredAny;
    SetCookies = "Network.setCookies" { cookies: Vec<Cookie> } -> IgnoredAny;
    GetResponseBody = "Network.getResponseBody" { request_id: String } -> Body;

    EnableFetch = "Fetch.enable" { patterns: Vec<RequestPattern> } -> IgnoredAny;
    ContinueRequest = "Fetch.continueRequest" {
        request_id: String,
        #[serde(skip_serializing_if = "Option::is_none")] headers: Option<Vec<HeaderEntry>>
    } -> IgnoredAny;
    FailRequest = "Fetch.failRequest" { request_id: String, error_reason: &'static str } -> IgnoredAny;
}

parts! { Deserialize:
    Version { user_agent: String }
    BrowserContext { browser_context_id: String }
    Target { target_id: String }
    Attached { session_id: String }
    Frames { frame_tree: FrameTree }
    FrameTree { frame: Frame }
    Frame { id: String }
    Navigated { error_text: Option<String> }
    World { execution_context_id: i64 }
    LayoutMetrics { css_content_size: Size }
    Size { width: f64, height: f64 }
    /// A picture in base64.
    Screenshot { data: String }
    Evaluated { result: RemoteObject, exception_details: Option<Exception> }
    RemoteObject { value: Option<Value> }
    Exception { text: String }
    Body { body: String, base64_encoded: bool }

    /// A request as Chromium means to send it.
    Request { url: String, headers: Headers }
    /// A response as Chromium understood it.
    Response {
        status: i64,
        headers: Headers,
        protocol: Option<String>,
        #[serde(rename = "remoteIPAddress")] remote_ip_address: Option<String>
    }
    /// The event `Network.requestWillBeSent`.
    RequestWillBeSent {
        request_id: String, loader_id: String, frame_id: Option<String>, request: Request, redirect_response: Option<Response>
    }
    /// The event `Network.requestWillBeSentExtraInfo`: what was really sent.
    RequestSent { request_id: String, headers: Headers }
    /// The event `Network.responseReceived`.
    ResponseReceived { request_id: String, response: Response }
    /// The event `Network.responseReceivedExtraInfo`: what really arrived.
    ResponseArrived { request_id: String, headers: Headers, status_code: i64 }
    /// The event `Network.loadingFailed`.
    LoadingFailed { request_id: String, error_text: String }
    /// The event `Page.lifecycleEvent`.
    LifecycleEvent { frame_id: String, loader_id: String, name: String }
    /// The event `Fetch.requestPaused`.
    RequestPaused { request_id: String, frame_id: String, resource_type: String, request: Request }
}

parts! { Serialize:
    /// The part of a page that a picture shows, in pixels.
    Clip { x: f64, y: f64, width: f64, height: f64, scale: f64 }
    /// The orientation of the screen.
    ScreenOrientation { #[serde(rename = "type")] kind: &'static str, angle: u32 }
    /// A cookie to send; the port is -1 if it is not known.
    Cookie {
        name: String, value: String, url: String, path: &'static str,
        secure: bool, source_scheme: &'static str, source_port: i32
    }
    /// The requests that are paused.
    RequestPattern { url_pattern: &'static str }
    /// One header of a request.
    HeaderEntry { name: String, value: String }
}
