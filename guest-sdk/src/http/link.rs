//! Lists that servers hand out page by page, each with a link to the next one (RFC 8288).

use super::{Response, Unexpected, Url};

impl Response {
    /// Where the next page is, as `Link: <…>; rel="next"` says; none if this is the last.
    ///
    /// An error if it is at another origin than this one: what all requests of a client carry, such as a token, would go there.
    ///
    /// ```
    /// use bulkhead_sdk::http::{Client, Method, Request, Url};
    ///
    /// /// All names that a service has, one a line.
    /// fn names(client: &Client, first: Url) -> bulkhead_sdk::Result<Vec<String>> {
    ///     let (mut names, mut next) = (Vec::new(), Some(first));
    ///     while let Some(url) = next {
    ///         let page = client.send(&Request::new(Method::Get, url))?.ok()?;
    ///         names.extend(page.text()?.lines().map(str::to_owned));
    ///         next = page.next()?;
    ///     }
    ///     Ok(names)
    /// }
    /// # use bulkhead_sdk::http::Response;
    /// # let client = Client::over(|request: &Request| Ok(match request.url().path_and_query().as_str() {
    /// #     "/names" => Response::new(200, "a").with_header("link", r#"</names?page=2>; rel="next""#),
    /// #     _ => Response::new(200, "b\nc").with_header("link", r#"</names>; rel="prev""#),
    /// # }));
    /// # assert_eq!(names(&client, Url::parse("http://a.example/names")?)?, ["a", "b", "c"]);
    /// # Ok::<(), bulkhead_sdk::Error>(())
    /// ```
    pub fn next(&self) -> Result<Option<Url>, Unexpected> {
        let Some(target) = self.headers("link").find_map(|value| target(value, "next")) else { return Ok(None) };
        let Some(asked) = &self.asked else { return Err(self.unreadable("nobody knows where its next page is")) };
        let url =
            asked.url.resolve(target).map_err(|why| self.unreadable(format!("the address of its next page {why}")))?;
        match url.has_origin_of(&asked.url) {
            true => Ok(Some(url)),
            false => Err(self.unreadable(format!("its next page is somewhere else, at {}", url.origin()))),
        }
    }
}

/// Where the first link of a relation leads, of those in a header.
fn target<'a>(links: &'a str, relation: &str) -> Option<&'a str> {
    let mut rest = links;
    loop {
        let (_, link) = rest.split_once('<')?;
        let (target, link) = link.split_once('>')?;
        let (mut parameters, later) = cut(link, ',');
        while !parameters.is_empty() {
            let (parameter, others) = cut(parameters, ';');
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let mut relations = value.trim().trim_matches('"').split_ascii_whitespace();
            if name.trim().eq_ignore_ascii_case("rel") && relations.any(|named| named.eq_ignore_ascii_case(relation)) {
                return Some(target);
            }
            parameters = others;
        }
        rest = later;
    }
}

/// What is before a separator that isn't in quotes, and what is behind it.
fn cut(text: &str, separator: char) -> (&str, &str) {
    let (mut quoted, mut escaped) = (false, false);
    let end = text.find(|character| {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ => return !quoted && character == separator,
        }
        false
    });
    let (before, behind) = text.split_at(end.unwrap_or(text.len()));
    (before, behind.strip_prefix(separator).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::native;
    use crate::http::{Client, Method, Request};

    fn next(link: &'static str) -> Result<Option<String>, Unexpected> {
        native::reset();
        let client = Client::over(move |_: &Request| {
            Ok(Response::new(200, "").with_header("Link", "</a>; rel=up").with_header("Link", link))
        });
        let url = Url::parse("https://a.example/repos/list?page=1&size=5").unwrap();
        let next = client.send(&Request::new(Method::Get, url)).unwrap().next()?;
        Ok(next.map(|url| url.to_string()))
    }

    #[test]
    fn the_next_page_is_where_the_server_says() {
        for (link, url) in [
            (r#"<https://a.example/x?page=2>; rel="next", <https://a.example/x?page=9>; rel="last""#, "/x?page=2"),
            (r#"</x>; rel="prev"; title="a, \"<b>; rel=next\"", </y?a,b>;REL="last Next""#, "/y?a,b"),
            ("<?page=2>; rel=next", "/repos/list?page=2"),
            ("<more>;rel=next", "/repos/more"),
            ("<//A.EXAMPLE/z>; rel=next", "/z"),
        ] {
            assert_eq!(next(link).unwrap(), Some(format!("https://a.example{url}")), "{link}");
        }
        // As proxies say it.
        assert_eq!(next("<https://a.example:443/z>; rel=next").unwrap().as_deref(), Some("https://a.example:443/z"));
        for last in ["", "<", "</x>", "</x>; rel", "</x>; rel=last", "</x>; title=\"rel=next"] {
            assert_eq!(next(last).unwrap(), None, "{last}");
        }
    }

    /// The next request carries what all requests of the client carry.
    #[test]
    fn no_page_leads_a_token_elsewhere() {
        for link in [
            "<https://b.example/>; rel=next",
            "<//b.example/>; rel=next",
            "<http://a.example/>; rel=next",
            "<http://a.example:443/>; rel=next",
            "<https://a.example:80/>; rel=next",
            "<https://a.example:4430/>; rel=next",
        ] {
            assert!(next(link).unwrap_err().to_string().contains("its next page is somewhere else"), "{link}");
        }
        assert!(next("<https://a.example@b.example/>; rel=next").is_err());
    }
}
