// SPDX-License-Identifier: Apache-2.0
// Every table file, as a table.
import { ask } from '@/engine/client';
import { useRows, useTarget, useTargetPath } from '@/engine/context';
import { varve } from '@/lib/cli';
import { goTo, useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { Shown } from '@/ui/states';
import { FileTable } from './FileTable';
import FileView from './file/FileView';

export default function Files() {
  const target = useTarget();

  if (target.data?.target.kind === 'sst') return <FileView />;
  return <FileList name={target.data?.target.name ?? ''} />;
}

function FileList({ name }: { name: string }) {
  const { route, link } = useRoute();
  const query = { cf: route.cf, edit: route.query.edit };
  const source = ask('/targets/{t}/files', { path: useTargetPath(), query });
  const files = useRows(source, (page) => page.files);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Files</h1>
      </div>
      <Panel
        title={`Tables of ${route.cf}`}
        source={source}
        cli={varve('lsm files', [`./${name}`], { cf: route.cf, edit: route.query.edit })}
      >
        <Shown of={files} lines={10}>
          {({ rows }) => (
            <FileTable files={rows} height={640} onOpen={(file) => goTo(link('file', [file.id]))} />
          )}
        </Shown>
      </Panel>
    </div>
  );
}
