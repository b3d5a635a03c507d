/** The colours, spaces, radii, sizes and shadows of every page, light and dark; pages define none of their own. */
export const styleTokens = `:root{color-scheme:light dark;
/* Colours. Their contrasts are computed in services/web/style-sheet.test.ts. --link is for links inside content; all else is --accent. */
--ink:light-dark(#1c1917,#f5f5f4);--quiet:light-dark(#57534e,#a8a29e);--paper:light-dark(#ffffff,#141312);--panel:light-dark(#fafaf9,#1c1b1a);--line:light-dark(#e7e5e4,#2e2c2a);--edge:light-dark(#8a8580,#78736e);--accent:light-dark(#0f766e,#5eead4);--on-accent:light-dark(#ffffff,#042f2e);--tint:light-dark(#e7f1f1,#1b2925);--link:light-dark(#0b57d0,#8ab4f8);--danger:light-dark(#b3261e,#f6a29b);--on-danger:light-dark(#ffffff,#3b0907);--warn:light-dark(#7a4d00,#ffd27a);--warn-paper:light-dark(#fff6e0,#2d2613);--ok:light-dark(#15803d,#86efac);
/* Space, radius, type and elevation: one scale each. */
--s1:.25rem;--s2:.5rem;--s3:.75rem;--s4:1rem;--s5:1.5rem;--s6:2rem;--s7:3rem;--s8:4rem;--radius:.375rem;--radius-panel:.625rem;--radius-tag:62.5rem;
--t1:.75rem;--t2:.8125rem;--t3:.875rem;--t4:1rem;--t5:1.25rem;--t6:1.75rem;--t7:2.5rem;--bar:2rem;--field:2.5rem;--mono:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
--menu-shadow:0 4px 12px rgb(0 0 0/12%);--dialog-shadow:0 16px 48px rgb(0 0 0/24%);--backdrop:light-dark(rgb(0 0 0/45%),rgb(0 0 0/70%))}
`
