-- Who does what until when: one daemon today, several workers later. Ends are microseconds since 1970.

-- The daemon that watches from this catalog, if it is on a server: one row. Its end is by the clock of the server.
CREATE TABLE daemon (
    id BIGINT PRIMARY KEY,
    owner {text} NOT NULL,
    description {text} NOT NULL,      -- for people
    token BIGINT NOT NULL,            -- another one with each owner: who has an older one may not write
    until BIGINT NOT NULL
);

ALTER TABLE watch_state ADD COLUMN lease_owner {text};
ALTER TABLE watch_state ADD COLUMN lease_until BIGINT;

CREATE TABLE site_lease (
    site {text} PRIMARY KEY,
    owner {text} NOT NULL,
    until BIGINT NOT NULL
);
