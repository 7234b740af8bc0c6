-- People who may sign in, their sessions and tokens, and who did what.

CREATE TABLE person (
    id {id},
    name {text} NOT NULL,
    folded {text} NOT NULL UNIQUE,    -- the name in lower case: no two differ in case alone
    role BIGINT NOT NULL,             -- 0 viewer, 1 editor, 2 administrator
    password {text} NOT NULL,         -- its hash, as the server makes it; empty if only tokens may be used
    created BIGINT NOT NULL,
    disabled_at BIGINT
);

-- The secrets of sessions and tokens are random, so a plain digest of them is enough.
CREATE TABLE session (
    id {id},
    hash {bytes} NOT NULL UNIQUE,
    person_id BIGINT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_expires ON session (expires);

CREATE TABLE token (
    id {id},
    hash {bytes} NOT NULL UNIQUE,
    person_id BIGINT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    name {text} NOT NULL,
    scopes {text} NOT NULL,           -- a JSON array
    created BIGINT NOT NULL,
    expires BIGINT,                   -- NULL if it does not expire
    used_at BIGINT
);
CREATE INDEX token_person ON token (person_id, id);

CREATE TABLE audit (
    id {id},
    at BIGINT NOT NULL,
    person {text} NOT NULL,           -- the name as it was then; people may be removed, what they did stays
    action {text} NOT NULL,
    subject {text} NOT NULL,
    before {text} NOT NULL,
    after {text} NOT NULL
);
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_subject ON audit (subject, at, id);
