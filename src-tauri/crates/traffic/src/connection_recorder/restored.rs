//! Records what was recorded elsewhere, with its own times and under numbers of this record.

use std::{collections::HashMap, time::Instant};

use bytes::Bytes;
use sightglass_model::{FrameId, Timestamp};

use super::{CarrierId, ConnectionRecorder, beginning, message::Moment};
use crate::{
    Direction, ExchangeKind, Outcome, RecordedFrame,
    block::{NewFrame, RowSettlement},
    http::HttpText,
    queue::WriteQueue,
    shortened::shortened,
};

/// Restores the frames of one connection of another record.
///
/// Nothing of it is masked once more: it is not this program's to know what is secret in it.
pub struct RestoredConnection {
    recorder: ConnectionRecorder,
    /// The moment that the other record's first frame stands for, to measure durations by.
    origin: Option<(Timestamp, Instant)>,
}

/// Numbers in this record of frames of another one.
pub type RestoredFrames = HashMap<FrameId, FrameId>;

impl RestoredConnection {
    /// Restores into the connection of `recorder`, which records nothing else.
    pub fn new(recorder: ConnectionRecorder) -> Self {
        Self {
            recorder,
            origin: None,
        }
    }

    /// Records a frame and returns its number here. `carrier` is the number here of the frame that
    /// carried it.
    ///
    /// Waits only while the queue holds [`queue_bytes`](crate::RecorderOptions::queue_bytes).
    pub async fn frame(&mut self, frame: RecordedFrame, carrier: Option<FrameId>) -> FrameId {
        let (at, origin) = *self.origin.get_or_insert((frame.at, Instant::now()));
        let moment = Moment {
            at: frame.at,
            now: origin.checked_add(frame.at.since(at)).unwrap_or(origin),
        };
        let is_message = matches!(
            frame.kind,
            ExchangeKind::Request | ExchangeKind::Notification | ExchangeKind::Log
        );
        match &frame.payload {
            Some(payload) if is_message => self.message(&frame, payload, carrier, moment).await,
            Some(payload) => self.other(&frame, payload.clone(), carrier, moment).await,
            None => self.absent(&frame, carrier).await,
        }
    }

    /// The connection is over: what has no answer yet has none.
    pub fn ended(self) {
        self.recorder.ended();
    }

    async fn message(
        &self,
        frame: &RecordedFrame,
        payload: &Bytes,
        carrier: Option<FrameId>,
        moment: Moment,
    ) -> FrameId {
        let carrier = carrier.map(CarrierId);
        let mut prepared = self
            .recorder
            .prepare(frame.direction, payload, carrier, moment);
        prepared.was(size_of_frame(frame), frame.redacted);
        let record = |queue: &mut WriteQueue| self.recorder.record(queue, &prepared);
        self.recorder.with_room(record).await
    }

    /// Records HTTP, lines of output, phases and remarks.
    async fn other(
        &self,
        frame: &RecordedFrame,
        payload: Bytes,
        carrier: Option<FrameId>,
        moment: Moment,
    ) -> FrameId {
        let is_http = matches!(frame.kind, ExchangeKind::Http | ExchangeKind::Oauth);
        let text = String::from_utf8_lossy(if is_http {
            &payload
        } else {
            beginning(&payload)
        });
        let http = is_http.then(|| HttpText::parse(frame.direction, &text).facts);
        let target = match &http {
            Some(facts) => shortened(&facts.url),
            None => shortened(&text),
        };
        let method = shortened(&frame.method);
        let is_failure = match &http {
            Some(facts) => facts.error.is_some() || facts.status.is_none_or(|status| status >= 400),
            None => matches!(frame.method.as_str(), "stdout" | "failed"),
        };
        let outcome = match (&http, frame.direction) {
            (Some(_), Direction::Sent) => Outcome::Pending,
            (Some(_), Direction::Received) if !is_failure => Outcome::Ok,
            (None, _) if !is_failure => Outcome::None,
            _ => Outcome::Error,
        };
        let new = NewFrame {
            kind: frame.kind,
            direction: frame.direction,
            carrier: carrier.map_or(0, |carrier| carrier.0),
            outcome,
            size: size_of_frame(frame),
            redacted: frame.redacted,
            ..self
                .recorder
                .frame(moment.at, &method, &target, payload.clone())
        };
        let record = |queue: &mut WriteQueue| {
            let new = new.clone();
            let Some(facts) = &http else {
                return queue.push(new).0;
            };
            let mut matcher = self.recorder.matcher();
            if frame.direction == Direction::Sent {
                let (frame, row) = queue.push(new);
                matcher.http_started(frame, row, moment.now);
                return frame;
            }
            let answered = carrier.and_then(|carrier| matcher.http_finished(carrier.0, moment.now));
            let Some((row, elapsed)) = answered else {
                return queue.push(new).0;
            };
            let size = u32::try_from(new.size).unwrap_or(u32::MAX);
            let (frame, _) = queue.push(NewFrame {
                row: Some(row),
                ..new
            });
            queue.settle(RowSettlement {
                row,
                outcome,
                code: facts.status.map(i32::from),
                duration: Some(elapsed),
                response_frame: Some(frame),
                response_size: size,
            });
            frame
        };
        FrameId(self.recorder.with_room(record).await)
    }

    /// Records a frame whose text was not recorded.
    async fn absent(&self, frame: &RecordedFrame, carrier: Option<FrameId>) -> FrameId {
        let method = shortened(&frame.method);
        let new = NewFrame {
            kind: frame.kind,
            direction: frame.direction,
            carrier: carrier.map_or(0, |carrier| carrier.0),
            size: size_of_frame(frame),
            redacted: frame.redacted,
            is_unrecorded: true,
            ..self.recorder.frame(frame.at, &method, "", Bytes::new())
        };
        let record = |queue: &mut WriteQueue| {
            let (frame, _) = queue.push(new.clone());
            queue.unrecorded.remove(frame);
            FrameId(frame)
        };
        self.recorder.with_room(record).await
    }
}

fn size_of_frame(frame: &RecordedFrame) -> usize {
    usize::try_from(frame.size.as_u64()).unwrap_or(usize::MAX)
}
