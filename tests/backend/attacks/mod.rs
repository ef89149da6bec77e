//! What strangers try: a folder, a server, an authorization server or another local program that
//! attacks. Each story says what the user sees and what really happened.

#[cfg(unix)]
mod approval;
#[cfg(unix)]
mod canary;
mod schemas;
