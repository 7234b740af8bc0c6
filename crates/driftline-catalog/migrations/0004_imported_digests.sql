-- Digests that records stated wrongly when they were imported, each with the one that the bytes had then. A record with any
-- other bytes has been damaged since.

CREATE TABLE imported_digest (
    stated {text} NOT NULL,
    found {text} NOT NULL,
    PRIMARY KEY (stated, found)
);
