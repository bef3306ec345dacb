//! What counts for as long as somebody is being answered: from where it came into being, by way of whatever is made of it, until the
//! last of that is sent or nobody wants it any more.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

tokio::task_local! {
    static KEPT: RefCell<Vec<Box<dyn Send>>>;
}

/// What is kept for an answer. Clones are the same.
#[derive(Clone)]
pub(crate) struct Kept(
    #[expect(dead_code, reason = "had for as long as the answer is there")] Arc<Mutex<Vec<Box<dyn Send>>>>,
);

/// Keeps something until the answer that is being worked on is sent. Outside of one it isn't kept.
pub(crate) fn keep(something: impl Send + 'static) {
    let _ = KEPT.try_with(|kept| kept.borrow_mut().push(Box::new(something)));
}

/// Works on an answer. Beside it is what has to be kept until it is sent, if anything.
pub(crate) async fn keeping<T>(answer: impl Future<Output = T>) -> (T, Option<Kept>) {
    let working = async {
        let answered = answer.await;
        (answered, KEPT.with(RefCell::take))
    };
    let (answered, kept) = KEPT.scope(RefCell::default(), working).await;
    (answered, (!kept.is_empty()).then(|| Kept(Arc::new(Mutex::new(kept)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_kept_is_there_as_long_as_the_answer() {
        let something = Arc::new(());
        let (answered, kept) = keeping(async {
            keep(Arc::clone(&something));
            tokio::task::yield_now().await;
            1
        })
        .await;
        assert_eq!((answered, Arc::strong_count(&something)), (1, 2));
        drop(kept);
        assert_eq!(Arc::strong_count(&something), 1);
        assert!(keeping(async {}).await.1.is_none());
        keep(Arc::clone(&something));
        assert_eq!(Arc::strong_count(&something), 1, "nobody is being answered");
    }
}
