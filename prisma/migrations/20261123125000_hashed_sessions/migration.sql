-- By hand. Of a session's token the table keeps a hash of its hash: the token is what the browser holds, its hash is what shows
-- the database who acts, and neither can be made from a row. Sessions that are there go on.
UPDATE "sessions"
   SET token = encode(sha256(convert_to(encode(sha256(convert_to(token, 'UTF8')), 'hex'), 'UTF8')), 'hex');

-- As it was, but for what is stored.
CREATE OR REPLACE FUNCTION cloudwright_verified_session(id_given text, hash_given text)
  RETURNS TABLE (user_id text, user_name text, session_id text) LANGUAGE sql VOLATILE AS $$
  SELECT users.id, users.name, sessions.id
    FROM "sessions" AS sessions JOIN "users" AS users ON users.id = sessions.user_id
   WHERE sessions.id = $1 AND sessions.token = encode(sha256(convert_to($2, 'UTF8')), 'hex')
     AND sessions.expires_at > clock_timestamp() AND users.banned IS NOT TRUE
$$;
