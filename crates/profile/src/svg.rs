//! Pictures in SVG. Their colours are classes of the page's style sheet, which has them for light
//! and for dark screens.

use std::fmt::{Display, Write};

/// Returns text with the characters that HTML and XML reserve replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// How a text lies at its point.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The middle of the text is there.
    Middle,
    /// The text ends there.
    End,
}

/// A picture, as far as it is drawn.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Part of its width to which a picture shrinks on a narrow screen.
const SHRINKS_TO: f64 = 0.75;

impl Svg {
    /// Returns an empty picture.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }

    /// Draws a rectangle of a class, with a text that a browser shows when the pointer is on it.
    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], class: &str, title: &str) {
        let title = if title.is_empty() {
            String::new()
        } else {
            format!("<title>{}</title>", escaped(title))
        };
        // Writing to a String does not fail.
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
             class=\"{class}\">{title}</rect>"
        );
    }

    /// Draws a line.
    pub fn line(&mut self, [x1, y1, x2, y2]: [f64; 4]) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"/>"
        );
    }

    /// Draws a text.
    pub fn text(&mut self, x: f64, y: f64, anchor: Anchor, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(&text.to_string())
        );
    }

    /// Returns the picture with a description for readers who do not see it. On a narrow screen it
    /// keeps a size at which its texts can be read, and is moved sideways.
    pub fn finish(self, label: &str) -> String {
        let Svg { width, height, body } = self;
        format!(
            "<div class=\"wide\"><svg xmlns=\"http://www.w3.org/2000/svg\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
             style=\"min-width:{:.0}px\" role=\"img\" aria-label=\"{}\">\n{body}</svg></div>\n",
            width * SHRINKS_TO,
            escaped(label)
        )
    }
}

/// Steps of the scale of the matrix: the classes `h0`, the least, to `h15`.
pub const HEAT_STEPS: usize = 16;

/// Returns the class of a share between 0 and 1.
pub fn heat(share: f64) -> String {
    format!("h{}", (share.clamp(0.0, 1.0) * (HEAT_STEPS - 1) as f64).round() as usize)
}

/// Returns the rules of the classes of `heat`: colours on the way through `stops`.
pub fn heat_rules(stops: [[f64; 3]; 4]) -> String {
    let rule = |step: usize| {
        let place = step as f64 * (stops.len() - 1) as f64 / (HEAT_STEPS - 1) as f64;
        let lower = (place as usize).min(stops.len() - 2);
        let part = place - lower as f64;
        let mixed = |channel: usize| {
            let (a, b) = (stops[lower][channel], stops[lower + 1][channel]);
            (a + (b - a) * part).round() as u8
        };
        format!(".h{step}{{fill:#{:02x}{:02x}{:02x}}}", mixed(0), mixed(1), mixed(2))
    };
    (0..HEAT_STEPS).map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_colours_are_safe() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.rect([0.0, 0.0, 1.0, 1.0], "c1", "a<b & \"c\"");
        svg.text(1.0, 2.0, Anchor::End, "<x>");
        let text = svg.finish("l\"");
        assert!(text.contains("<title>a&lt;b &amp; &quot;c&quot;</title>"));
        assert!(text.contains(">&lt;x&gt;</text>") && text.contains("aria-label=\"l&quot;\""));
        assert_eq!([heat(-1.0), heat(0.5), heat(1.0)], ["h0", "h8", "h15"]);
        let rules = heat_rules([[0.0; 3], [10.0; 3], [20.0; 3], [30.0; 3]]);
        assert!(rules.starts_with(".h0{fill:#000000}") && rules.ends_with(".h15{fill:#1e1e1e}"));
    }
}
