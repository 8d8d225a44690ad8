import React from 'react';

/** What Joblens is, where its dashboards are, and how a data source is set up. */
export function StartPage(): React.ReactElement {
  return <div>Joblens</div>;
}
