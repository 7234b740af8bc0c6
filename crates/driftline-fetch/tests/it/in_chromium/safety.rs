//! Does nothing in a page get to an address that may not be asked, or to a file?
//!
//! The class of CVE-2026-27696 in a browser: a page of strangers asks what only this machine can reach, and the answer
//! is stored for whoever added the watch.

use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};

use driftline::span::Span;
use driftline_archive::capture::Content;
use driftline_fetch::{FetchError, Fetched, How, Wait};
use driftline_testkit::server::{Response, Server};

use super::chromium::{fetch, fetchers, how};

/// Every way that a page has to ask somebody else.
fn asks(inside: SocketAddr, udp: SocketAddr) -> String {
    format!(
        "<!doctype html><meta http-equiv=refresh content='1;url=http://{inside}/refresh'>\
         <link rel=stylesheet href='http://{inside}/style'><link rel=preconnect href='http://{inside}'>\
         <link rel=prefetch href='http://{inside}/prefetch'><link rel=icon href='http://{inside}/icon'>\
         <img src='http://{inside}/image'><img src='/to-inside'><iframe src='http://{inside}/frame'></iframe>\
         <iframe src='/to-inside'></iframe><video src='http://{inside}/video'></video>\
         <object data='http://{inside}/object'></object><script src='http://{inside}/script'></script>\
         <form id=form action='http://{inside}/form' method=post target=other><input name=a value=b></form>\
         <p>page</p><script>\
         const to = 'http://{inside}', tries = [];\
         const attempt = work => {{ try {{ tries.push(work()) }} catch (error) {{}} }};\
         attempt(() => fetch(to + '/fetch', {{ mode: 'no-cors' }}));\
         attempt(() => fetch('http://localhost:{port}/name', {{ mode: 'no-cors' }}));\
         attempt(() => fetch('http://[::ffff:127.0.0.1]:{port}/mapped', {{ mode: 'no-cors' }}));\
         attempt(() => fetch('http://0x7f.1:{port}/hex', {{ mode: 'no-cors' }}));\
         attempt(() => fetch('/to-inside', {{ mode: 'no-cors' }}));\
         attempt(() => {{ const old = new XMLHttpRequest(); old.open('GET', to + '/xhr'); old.send() }});\
         attempt(() => new WebSocket('ws://{inside}/socket'));\
         attempt(() => new EventSource(to + '/events'));\
         attempt(() => navigator.sendBeacon(to + '/beacon', 'x'));\
         attempt(() => new Worker(URL.createObjectURL(new Blob(['fetch(\"' + to + '/worker\", {{mode: \"no-cors\"}})']))));\
         attempt(() => document.getElementById('form').submit());\
         attempt(() => window.open(to + '/window'));\
         attempt(() => new WebTransport('https://{udp}/transport'));\
         attempt(() => {{ const peer = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:{udp}' }}] }});\
           peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer)) }});\
         </script>",
        port = inside.port(),
    )
}

#[test]
fn nothing_that_a_page_asks_for_arrives_inside() {
    let inside = Server::start(|_| Response::text("secret of the inside").with("Access-Control-Allow-Origin", "*"));
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (target, page) = (inside.url("/redirect"), asks(inside.address(), udp.local_addr().unwrap()));
    let server = Server::start(move |request| match request.path.as_str() {
        "/to-inside" => Response::redirect(&target),
        "/" => Response::html(page.clone()),
        _ => Response::status(404),
    });
    let Some(fetchers) = fetchers(&[&server]) else { return };
    // Long enough for the refresh, which then is refused.
    let patient = How { wait: Wait { extra: Some(Span::from_seconds(3)), ..Wait::default() }, ..how() };
    let refreshed = fetch(&fetchers, &server.url("/"), &patient).unwrap_err();
    assert!(matches!(refreshed, FetchError::Refused(_)), "{refreshed}");
    assert!(server.requests().iter().filter(|request| request.path == "/to-inside").count() >= 2, "the page did ask");
    assert_eq!(inside.connections(), 0, "{:?}", inside.requests());
    udp.set_nonblocking(true).unwrap();
    assert_eq!(udp.recv(&mut [0; 64]).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn neither_a_redirect_nor_a_script_leads_the_page_itself_inside() {
    let inside = Server::start(|_| Response::html("<p>secret of the inside"));
    let (target, script) = (inside.url("/a"), format!("<script>location = '{}'</script>", inside.url("/b")));
    let server = Server::start(move |request| match request.path.as_str() {
        "/redirect" => Response::redirect(&target),
        _ => Response::html(script.clone()),
    });
    let Some(fetchers) = fetchers(&[&server]) else { return };
    for url in [server.url("/redirect"), server.url("/script"), inside.url("/"), "http://localhost/".to_owned()] {
        let error = fetch(&fetchers, &url, &how()).unwrap_err();
        assert!(matches!(error, FetchError::Refused(_)) && !error.is_transient(), "{url}: {error}");
    }
    assert_eq!(inside.connections(), 0);
}

/// All bytes that would be kept.
fn all_of(fetched: &Fetched) -> String {
    let bodies = fetched.captures.iter().map(|capture| match &capture.content {
        Content::Http(exchange) => exchange.body.clone(),
        Content::Resource { body, .. } => body.clone(),
    });
    bodies.map(|body| String::from_utf8_lossy(&body).into_owned()).collect()
}

/// CVE-2024-51483, CVE-2024-51998, CVE-2024-56509 and the browser's `file://` of 2022: a file of the machine as a page.
#[test]
fn no_file_of_the_machine_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret.html");
    std::fs::write(&file, "<p>secret of the machine").unwrap();
    let path = format!("file://{}", file.display());
    let page = format!(
        "<p>page</p><iframe src='{path}'></iframe><object data='{path}'></object><embed src='{path}'>\
         <img src='{path}'><link rel=stylesheet href='{path}'><iframe src='view-source:{path}'></iframe><script>\
         fetch('{path}').then(answer => answer.text()).then(text => document.body.append(text)).catch(() => 0);\
         try {{ location = '{path}' }} catch (error) {{}} try {{ window.open('{path}') }} catch (error) {{}}</script>"
    );
    let target = path.clone();
    let server = Server::start(move |request| match request.path.as_str() {
        "/redirect" => Response::redirect(&target),
        _ => Response::html(page.clone()),
    });
    let Some(fetchers) = fetchers(&[&server]) else { return };
    let fetched = fetch(&fetchers, &server.url("/"), &how()).unwrap();
    let all = all_of(&fetched);
    assert!(all.contains("<p>page</p>") && !all.contains("secret of the machine"), "{all}");
    assert!(fetch(&fetchers, &server.url("/redirect"), &how()).is_err());
    let bare = file.display();
    for url in [
        path.clone(),
        format!("view-source:{path}"),
        format!("source:{path}"),
        format!("file:{bare}"),
        "chrome://version".to_owned(),
    ] {
        assert!(matches!(fetch(&fetchers, &url, &how()), Err(FetchError::Refused(_))), "{url}");
    }
}
