import { text } from '../../../texts/text.js'
import type { CursorList } from '../api/cursor-list.js'
import { Button } from './button.js'
import { ProblemNotice } from './problem-notice.js'

/** The end of a list: a button to load more, or why that failed. */
export function LoadMore({ list }: { list: CursorList<unknown> }) {
  if (list.error !== null) return <ProblemNotice error={list.error} onRetry={list.retry} />
  if (!list.hasMore) return null
  return (
    <div className="load-more">
      <Button isPending={list.isLoadingMore} onPress={list.loadMore}>
        {text('kit.loadMore')}
      </Button>
    </div>
  )
}
