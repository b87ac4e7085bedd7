#include "core/io/OperatorKinds.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace doppler::io {

using graph::OpKind;

namespace {

struct Family {
    OpKind kind;
    std::string_view names; // without "_", separated by blanks
};

constexpr Family kFamilies[] = {
    {OpKind::Contraction, "matmul gemm linear mm bmm addmm baddbmm einsum dot dense fullyconnected "
                          "matmulinteger qlinearmatmul attention multiheadattention "
                          "scaleddotproductattention groupqueryattention syrk"},
    {OpKind::Convolution, "conv conv1d conv2d conv3d convolution convtranspose convtranspose2d "
                          "convinteger qlinearconv depthwiseconv2d"},
    {OpKind::Reduction,
     "reducesum reducemean reducemax reducemin reduceprod reducel1 reducel2 reducelogsumexp sum "
     "mean max min prod argmax argmin reduce cumsum topk"},
    {OpKind::Elementwise,
     "add sub mul div pow sqrt exp log relu relu6 leakyrelu prelu elu gelu fastgelu biasgelu silu "
     "sigmoid hardsigmoid hardswish tanh erf neg abs clip clamp where equal greater less not and "
     "or floor ceil round reciprocal sin cos dropout cast mod xor sign softplus truediv rsub "
     "fill bitwiseand isnan greaterorequal lessorequal"},
    {OpKind::Softmax, "softmax logsoftmax"},
    {OpKind::Normalization,
     "batchnormalization batchnorm batchnorm2d layernormalization layernorm "
     "skiplayernormalization simplifiedlayernormalization groupnorm groupnormalization "
     "instancenormalization instancenorm rmsnorm lrn lpnormalization"},
    {OpKind::Rotary, "rotaryembedding"},
    {OpKind::Fill, "constant constantofshape getattr range randomnormal randomuniform zeros ones "
                   "full empty parameter const eyelike"},
    {OpKind::Select,
     "slice gather gathernd gatherelements select indexselect index split chunk narrow getitem "
     "scatternd scatterelements nonzero compress unbind"},
    {OpKind::Concat, "concat cat stack pad concatenate"},
    {OpKind::Reshape,
     "reshape view flatten transpose permute squeeze unsqueeze expand tile repeat identity shape "
     "contiguous clone size depthtospace spacetodepth resize upsample copy to detach"},
    {OpKind::Pooling, "maxpool averagepool globalaveragepool globalmaxpool maxpool2d avgpool2d "
                      "adaptiveavgpool2d adaptivemaxpool2d lppool"},
    {OpKind::Embedding, "embedding embeddingbag embedlayernormalization"},
    {OpKind::LstmCell, "lstm gru rnn lstmcell grucell"},
    {OpKind::Routing, "moe"},
    {OpKind::Communication, "allreduce allgather reducescatter alltoall broadcast send recv "
                            "ncclallreduce"},
    {OpKind::ControlFlow, "if loop scan while"},
};

std::unordered_map<std::string_view, OpKind> byName() {
    std::unordered_map<std::string_view, OpKind> kinds;
    for (const Family& family : kFamilies) {
        std::string_view left = family.names;
        while (!left.empty()) {
            const std::size_t end = std::min(left.find(' '), left.size());
            kinds.emplace(left.substr(0, end), family.kind);
            left.remove_prefix(std::min(end + 1, left.size()));
        }
    }
    return kinds;
}

/// "aten::Max_pool2d_" -> "maxpool2d".
std::string plain(std::string_view name) {
    if (const std::size_t colons = name.rfind("::"); colons != std::string_view::npos) {
        name.remove_prefix(colons + 2);
    }
    std::string result;
    for (const char c : name) {
        if (c >= 'A' && c <= 'Z') {
            result += static_cast<char>(c - 'A' + 'a');
        } else if (c != '_' && c != '-') {
            result += c;
        }
    }
    return result;
}

} // namespace

OpKind kindOfOperator(std::string_view name) {
    static const std::unordered_map<std::string_view, OpKind> kKinds = byName();
    const auto found = kKinds.find(plain(name));
    return found == kKinds.end() ? OpKind::Other : found->second;
}

} // namespace doppler::io
